/// What happens next in an app's life; does nothing itself.
struct LifecycleMachine: Sendable {
  private(set) var state: AppLifecycle.State = .inactive

  enum Event: Hashable, Sendable {
    case becomeActive, resignActive, enterBackground, enterForeground, terminate
  }

  /// A step to take, in this order.
  enum Action: Hashable, Sendable {
    case tell(AppLifecycle.State)
    /// What must be done while there is still time.
    case save
  }

  /// From any state to where the event leads, through all states between. What leads nowhere does
  /// nothing.
  mutating func handle(_ event: Event) -> [Action] {
    let path: [AppLifecycle.State] =
      switch (event, state) {
      case (_, .terminating): []
      case (.becomeActive, .background): [.inactive, .active]
      case (.becomeActive, .inactive): [.active]
      case (.resignActive, .active): [.inactive]
      case (.enterForeground, .background): [.inactive]
      case (.enterBackground, .active): [.inactive, .background]
      case (.enterBackground, .inactive): [.background]
      case (.terminate, .active): [.inactive, .background, .terminating]
      case (.terminate, .inactive): [.background, .terminating]
      case (.terminate, .background): [.terminating]
      default: []
      }
    state = path.last ?? state
    return path.flatMap { state in
      // Also at the end: something may have changed in the background.
      state == .background || (state == .terminating && path.count == 1)
        ? [.tell(state), .save] : [.tell(state)]
    }
  }
}
