import Glibc

/// What a program is shut into, as far as that keeps devices from it.
package enum Sandbox: Hashable, Sendable {
  /// With the application's name, where it is known.
  case flatpak(String?)
  /// With the snap's name.
  case snap(String)
  /// Docker, Podman, systemd-nspawn …
  case container

  /// Finds out; nil where there is none.
  /// - Parameters:
  ///   - roots: Where the files are that say so.
  ///   - variable: A variable of the process's environment.
  package init?(
    roots: DeviceRoots = DeviceRoots(), variable: (String) -> String? = Sandbox.variable
  ) {
    if let info = FileTree.text(at: roots.root + "/.flatpak-info") {
      let name = info.split(separator: "\n").first { $0.hasPrefix("name=") }
      self = .flatpak(name.map { String($0.dropFirst(5)) })
    } else if variable("SNAP") != nil, let name = variable("SNAP_NAME"), !name.isEmpty {
      self = .snap(name)
    } else if variable("container") != nil || Self.marks(roots).contains(where: Self.exists) {
      self = .container
    } else {
      return nil
    }
  }

  private static func marks(_ roots: DeviceRoots) -> [String] {
    [roots.run + "/.containerenv", roots.root + "/.dockerenv", roots.run + "/systemd/container"]
  }

  private static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// A variable of this process's environment.
  package static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// How devices are let in, in the middle of a sentence.
  package var advice: String {
    switch self {
    case .flatpak(let name):
      "this program runs in a Flatpak sandbox. Let devices in with “flatpak override --user "
        + "--device=all \(name ?? "APPLICATION")” and start it again."
    case .snap(let name):
      "this program runs as a snap. Let it use cameras with “sudo snap connect \(name):camera”."
    case .container:
      "this program runs in a container. Pass the device on when the container is started, as "
        + "with “--device /dev/video0”."
    }
  }
}
