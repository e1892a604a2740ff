import Foundation
import Glibc
import Testing

@testable import LinuxSystem

@Suite(.timeLimit(.minutes(1)))
struct XDGDirectoriesTests {
  @Test(arguments: [
    (["XDG_DATA_HOME": "/data", "HOME": "/home/me"], "/data"),
    (["HOME": "/home/me"], "/home/me/.local/share"),
    (["XDG_DATA_HOME": "", "HOME": "/home/me"], "/home/me/.local/share"),
    (["XDG_DATA_HOME": "relative/data", "HOME": "/home/me"], "/home/me/.local/share"),
    (["HOME": "not/absolute"], "/users/database/.local/share"),
    ([:], "/users/database/.local/share"),
  ])
  func findsTheDataHome(environment: [String: String], expected: String) {
    let directories = XDGDirectories(
      variable: { environment[$0] }, home: { "/users/database" })

    #expect(directories.dataHome == expected)
  }

  @Test func namesTheRunningProgram() throws {
    let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")

    #expect(XDGDirectories.programName == URL(filePath: executable).lastPathComponent)
    #expect(
      XDGDirectories(variable: { _ in "/data" }).dataOfProgram
        == "/data/\(XDGDirectories.programName)")
  }

  @Test func knowsTheUsersHomeWithoutTheEnvironment() {
    #expect(XDGDirectories.homeOfUser()?.hasPrefix("/") == true)
  }
}
