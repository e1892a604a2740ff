#include "ck_colour.h"

const ck_colour_meaning ck_colour_jpeg = {
    .red_weight = CK_BT601_RED_WEIGHT, .blue_weight = CK_BT601_BLUE_WEIGHT, .limited_range = 0};

ck_colour_gains ck_colour_gains_of(ck_colour_meaning meaning) {
    double red = meaning.red_weight, blue = meaning.blue_weight, green = 1 - red - blue;
    double r = 2 * (1 - red), b = 2 * (1 - blue);
    double chroma = meaning.limited_range ? 255.0 / 224 : 1;
    return (ck_colour_gains){
        .luma = meaning.limited_range ? 255.0 / 219 : 1,
        .u_blue = b * chroma,
        .u_green = b * blue / green * chroma,
        .v_green = r * red / green * chroma,
        .v_red = r * chroma,
        .black = meaning.limited_range ? 16 : 0,
    };
}

static ck_colour_matrix to_rgb(ck_colour_meaning from) {
    ck_colour_gains g = ck_colour_gains_of(from);
    ck_colour_matrix matrix = {
        .gain = {{g.luma, 0, g.v_red}, {g.luma, -g.u_green, -g.v_green}, {g.luma, g.u_blue, 0}},
    };
    for (int i = 0; i < 3; i++)
        matrix.offset[i] = -g.luma * g.black - 128 * (matrix.gain[i][1] + matrix.gain[i][2]);
    return matrix;
}

ck_colour_matrix ck_colour_from_rgb(ck_colour_meaning to) {
    double red = to.red_weight, blue = to.blue_weight, green = 1 - red - blue;
    double luma = to.limited_range ? 219.0 / 255 : 1, chroma = to.limited_range ? 224.0 / 255 : 1;
    double u = chroma / 2 / (1 - blue), v = chroma / 2 / (1 - red);
    return (ck_colour_matrix){
        .gain = {
            {red * luma, green * luma, blue * luma},
            {-red * u, -green * u, (1 - blue) * u},
            {(1 - red) * v, -green * v, -blue * v},
        },
        .offset = {to.limited_range ? 16 : 0, 128, 128},
    };
}

ck_colour_matrix ck_colour_between(ck_colour_meaning from, ck_colour_meaning to) {
    ck_colour_matrix first = to_rgb(from), second = ck_colour_from_rgb(to), both = {0};
    for (int i = 0; i < 3; i++) {
        both.offset[i] = second.offset[i];
        for (int k = 0; k < 3; k++) {
            both.offset[i] += second.gain[i][k] * first.offset[k];
            for (int j = 0; j < 3; j++) both.gain[i][j] += second.gain[i][k] * first.gain[k][j];
        }
    }
    return both;
}

int ck_colour_is_same(ck_colour_meaning one, ck_colour_meaning other) {
    return one.red_weight == other.red_weight && one.blue_weight == other.blue_weight
        && !one.limited_range == !other.limited_range;
}
