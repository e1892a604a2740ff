// Words for people.
const notice = document.getElementById("notice");
let timer;

// Says a sentence, also to screen readers, for some seconds.
export function say(sentence) {
  clearTimeout(timer);
  notice.textContent = sentence;
  timer = setTimeout(() => { notice.textContent = ""; }, 6000);
}

const dollars = new Intl.NumberFormat(undefined, { style: "currency", currency: "USD", maximumFractionDigits: 0 });

export const money = (value) => dollars.format(value);
export const categories = { electronics: "Electronics", clothing: "Clothing", book: "Book", other: "Other" };
