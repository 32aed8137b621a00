// What the module has the client hold while a session lives. Types only, never code; `claude plugin validate` wants each key declared here,
// in a file without an `import`.

declare module 'claude-code' {
  interface PluginState {
    trimtab: {
      /** By session: what the core wants to know again (`save` in docs/wire.md), where the disk did not take it. */
      memory: StateFamily<string>
    }
  }
}
