@testable import Imaging

/// The code of the error that something throws; nil where it throws none, or another one.
func code<Result>(_ body: () throws -> Result) -> ImagingError.Code? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? ImagingError)?.code
  }
}
