import Testing

@testable import LinuxSystem

@Suite(.timeLimit(.minutes(1)))
struct UserFoldersTests {
  private func folder(_ lines: String...) -> String? {
    UserFolders(lines: lines.map { Substring($0) }, home: "/home/me/").folder(
      "PICTURES", usual: "Pictures")
  }

  @Test(arguments: [
    (#"XDG_PICTURES_DIR="$HOME/Bilder""#, "/home/me/Bilder"),
    (#"  XDG_PICTURES_DIR = "$HOME/My Pictures/" # mine"#, "/home/me/My Pictures"),
    (#"XDG_PICTURES_DIR="/media//photos""#, "/media/photos"),
    (#"XDG_PICTURES_DIR="$HOME/a \"b\" \\ \$c""#, #"/home/me/a "b" \ $c"#),
    (#"XDG_PICTURES_DIR="$HOME/""#, nil), (#"XDG_PICTURES_DIR="$HOME""#, nil),
    (#"XDG_PICTURES_DIR="/home/me""#, nil),
    // What is no setting counts for nothing.
    (#"#XDG_PICTURES_DIR="$HOME/Bilder""#, "/home/me/Pictures"),
    (#"XDG_PICTURES_DIR=$HOME/Bilder"#, "/home/me/Pictures"),
    (#"XDG_PICTURES_DIR="Bilder""#, "/home/me/Pictures"),
    (#"XDG_PICTURES_DIR="$HOMEWORK/Bilder""#, "/home/me/Pictures"),
    (#"XDG_PICTURES_DIR="$HOME/Bilder"#, "/home/me/Pictures"),
    (#"XDG_PICTURES="$HOME/Bilder""#, "/home/me/Pictures"),
    (#"XDG_MUSIC_DIR="$HOME/Musik""#, "/home/me/Pictures"), ("", "/home/me/Pictures"),
  ])
  func readsASettingAsAShellWould(line: String, expected: String?) {
    #expect(folder(line) == expected)
  }

  @Test func goesByTheLastOfTwo() {
    #expect(
      folder(#"XDG_PICTURES_DIR="/one""#, "nonsense", #"XDG_PICTURES_DIR="/two""#) == "/two")
  }
}
