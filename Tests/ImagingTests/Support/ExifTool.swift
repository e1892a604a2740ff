import Foundation

@testable import Imaging

/// What exiftool says of pictures.
enum ExifTool {
  /// Tags by their names, with numbers instead of words; of each group of tags where groups are
  /// asked for.
  static func tags(
    of files: [String], _ options: [String] = []
  ) throws -> [[String: any Sendable]] {
    let json = try Programs.run(
      Programs.exiftool, ["-json", "-n", "-api", "largefilesupport=1"] + options + files)
    let parsed = try JSONSerialization.jsonObject(with: json) as? [[String: any Sendable]]
    return try require(parsed)
  }

  static func tags(of data: Data, _ options: [String] = []) throws -> [String: any Sendable] {
    let folder = try ScratchFolder()
    return try require(tags(of: [folder.file("picture", data)], options).first)
  }

  /// The picture after exiftool has changed it.
  static func changed(_ data: Data, _ arguments: String...) throws -> Data {
    let folder = try ScratchFolder()
    let file = try folder.file("picture", data)
    _ = try Programs.run(
      Programs.exiftool, ["-overwrite_original", "-m", "-n"] + arguments + [file])
    return try Data(contentsOf: URL(filePath: file))
  }
}

/// What a picture says, to be compared with what exiftool says.
extension ImageMetadata {
  /// The names of tags that differ, with both values.
  func differences(to tags: [String: any Sendable]) -> [String] {
    var found: [String] = []
    func compare(_ name: String, _ ours: String?) {
      let theirs = Self.text(tags[name])
      if ours != theirs { found.append("\(name): \(ours ?? "–"), not \(theirs ?? "–")") }
    }
    func compare(_ name: String, _ ours: Double?, _ tolerance: Double) {
      // Some programs write a second number that has no meaning.
      let first = Self.text(tags[name])?.split(separator: " ").first
      let theirs = first.flatMap { Double($0) }
      let isEqual =
        ours == nil && theirs == nil
        || ours.flatMap { ours in theirs.map { abs($0 - ours) <= tolerance * max(1, abs(ours)) } }
          == true
      if !isEqual { found.append("\(name): \(ours as Any), not \(tags[name] as Any)") }
    }
    compare("Orientation", tags["Orientation"] == nil ? nil : "\(orientation.rawValue)")
    for (name, value) in [
      ("Make", make), ("Model", model), ("Software", software),
      ("ImageDescription", imageDescription),
    ] { compare(name, value) }
    compare("ExposureTime", exposureTime?.value, 1e-6)
    compare("FNumber", fNumber?.value, 1e-6)
    compare("FocalLength", focalLength?.value, 1e-6)
    compare("ISO", isoSpeed.map(Double.init), 0)
    compare("ExifImageWidth", (pixelSize?.width).map(Double.init), 0)
    compare("ExifImageHeight", (pixelSize?.height).map(Double.init), 0)
    compare("GPSLatitude", location.map { abs($0.latitude) }, 1e-9)
    compare("GPSLongitude", location.map { abs($0.longitude) }, 1e-9)
    compare("GPSAltitude", location?.altitude.map(abs), 1e-6)
    if let location {
      if (location.latitude < 0) != (Self.text(tags["GPSLatitudeRef"]) == "S") {
        found.append("south")
      }
      if (location.longitude < 0) != (Self.text(tags["GPSLongitudeRef"]) == "W") {
        found.append("west")
      }
      if ((location.altitude ?? 0) < 0) != (Self.text(tags["GPSAltitudeRef"]) == "1") {
        found.append("below the sea")
      }
    }
    return found + timeDifferences(to: tags)
  }

  private func timeDifferences(to tags: [String: any Sendable]) -> [String] {
    var found: [String] = []
    let written = ["DateTimeOriginal", "CreateDate", "ModifyDate"]
    let zones = ["OffsetTimeOriginal", "OffsetTimeDigitized", "OffsetTime"]
    let fractions = ["SubSecTimeOriginal", "SubSecTimeDigitized", "SubSecTime"]
    let index = written.firstIndex {
      Self.text(tags[$0]).map { ExifTime.date($0, subseconds: nil, secondsFromGMT: 0) != nil }
        == true
    }
    let zone = index.flatMap { Self.text(tags[zones[$0]]) }.flatMap(ExifTime.secondsFromGMT)
    let date = index.flatMap {
      ExifTime.date(
        Self.text(tags[written[$0]]) ?? "", subseconds: Self.text(tags[fractions[$0]]),
        secondsFromGMT: zone)
    }
    if zone != timeZoneOffset { found.append("zone: \(timeZoneOffset as Any), not \(zone as Any)") }
    if date != dateTaken { found.append("date: \(dateTaken as Any), not \(date as Any)") }
    let day = Self.text(tags["GPSDateStamp"])
    let time =
      Self.text(tags["GPSTimeStamp"])?.split(separator: ":").compactMap { Double($0) } ?? []
    if let day, time.count == 3,
      let midnight = ExifTime.date(day + " 00:00:00", subseconds: nil, secondsFromGMT: 0)
    {
      let moment = midnight.addingTimeInterval(time[0] * 3600 + time[1] * 60 + time[2])
      let difference = location?.timestamp.map { abs($0.timeIntervalSince(moment)) }
      if difference.map({ $0 > 1e-5 }) ?? true { found.append("time of location") }
    } else if location?.timestamp != nil {
      found.append("time of location where there is none")
    }
    return found
  }

  private static func text(_ value: (any Sendable)?) -> String? {
    switch value {
    case let text as String:
      var text = text
      while text.last?.isWhitespace == true { text.removeLast() }
      return text.isEmpty ? nil : text
    case let number as NSNumber: return number.stringValue
    default: return nil
    }
  }
}
