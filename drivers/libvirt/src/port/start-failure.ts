/** Why the child process cannot start, and how to fix it. */
export interface StartFailure {
  readonly why: string
  readonly remedy: string
}

const INSTALL_AGAIN =
  "Paste a new join line (on the node's page) on this machine: it installs the whole agent, and servers keep running."

/**
 * Parses the child's stderr when it died before sending a message; null when it is not a startup
 * error. Sources: Node's module loader (`Cannot find module`), koffi (`Cannot find the native Koffi
 * module`) and the dynamic linker (`libvirt.so.0: cannot open shared object file`).
 */
export function startFailure(complaint: string): StartFailure | null {
  const error = /^(?:\w*Error)(?: \[\w+\])?: (.+)$/m.exec(complaint)?.[1]
  if (error === undefined) return null
  if (/Cannot find (module|package|the native Koffi module)/.test(error)) {
    return {
      why: `The agent of this node is not whole: its part for virtual machines is missing (${error})`,
      remedy: INSTALL_AGAIN,
    }
  }
  if (error.includes('libvirt.so.0')) {
    return {
      why: `The library of libvirt cannot be loaded: ${error}`,
      remedy: 'Install libvirt-daemon-system.',
    }
  }
  return { why: `The process that talks to libvirt cannot start: ${error}`, remedy: INSTALL_AGAIN }
}
