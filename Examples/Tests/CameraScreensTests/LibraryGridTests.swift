import CameraScreens
import Foundation
import TerminalPicture
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LibraryGridTests {
  /// Four columns and two rows.
  private static func grid(_ count: Int) -> LibraryGrid {
    var grid = LibraryGrid()
    grid.fit(.halfBlocks(on: TerminalSize(columns: 120, rows: 22)))
    grid.setCount(count)
    return grid
  }

  @Test func fitsTheScreen() {
    let grid = Self.grid(100)
    #expect(grid.columns == 4 && grid.rows == 2 && grid.page == 0..<8)
    var narrow = grid
    narrow.fit(.halfBlocks(on: TerminalSize(columns: 20, rows: 8)))
    #expect(narrow.columns == 1 && narrow.rows == 1)
    let size = CGSize(width: 120, height: 44)
    #expect(grid.frame(of: 5, in: size) == CGRect(x: 30, y: 22, width: 30, height: 22))
  }

  @Test(arguments: [
    (TerminalMotion.right, 1), (.left, 0), (.down, 4), (.up, 0), (.pageDown, 8), (.pageUp, 0),
    (.end, 20), (.home, 0),
  ])
  func moves(motion: TerminalMotion, to place: Int) {
    var grid = Self.grid(21)
    grid.move(motion)
    #expect(grid.selection == place)
  }

  @Test func staysWithinTheLibrary() {
    var grid = Self.grid(6)
    for motion: TerminalMotion in [.right, .right, .right, .down] { grid.move(motion) }
    #expect(grid.selection == 5)
    grid.move(.down)
    grid.move(.right)
    #expect(grid.selection == 5)
    grid.setCount(2)
    #expect(grid.selection == 1 && grid.page == 0..<2)
    grid.setCount(0)
    grid.move(.end)
    #expect(grid.selection == 0 && grid.page.isEmpty)
  }

  @Test func turnsPages() {
    var grid = Self.grid(21)
    grid.move(.pageDown)
    #expect(grid.page == 8..<16)
    grid.move(.end)
    #expect(grid.page == 16..<21)
    grid.move(.up)
    #expect(grid.selection == 16)
    grid.move(.up)
    #expect(grid.selection == 12 && grid.page == 8..<16)
  }
}
