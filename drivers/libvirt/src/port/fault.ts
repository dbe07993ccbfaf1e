/** libvirt's error for a failed call; values as in `libvirt/virterror.h`. */
export interface Fault {
  readonly code: number
  readonly domain: number
  readonly message: string
}

/** The codes that the driver distinguishes. */
export const FAULT = {
  internal: 1,
  operationFailed: 9,
  noConnect: 5,
  xml: 27,
  xmlDetail: 35,
  rpc: 39,
  noDomain: 42,
  noNetwork: 43,
  operationInvalid: 55,
  noFilter: 62,
  configUnsupported: 67,
  timedOut: 68,
  hookRefused: 70,
  argumentUnsupported: 74,
  agentUnresponsive: 86,
  noBackup: 104,
} as const

/** A call that libvirt refused or that failed. */
export class LibvirtError extends Error {
  readonly code: number
  readonly domain: number
  constructor(fault: Fault) {
    super(fault.message)
    this.name = 'LibvirtError'
    this.code = fault.code
    this.domain = fault.domain
  }
}

/** libvirt cannot be reached or did not answer in time: the same call may succeed later. */
export class LibvirtUnavailable extends Error {
  /** What an operator can do about it, if known. */
  readonly remedy: string | null
  constructor(message: string, remedy: string | null = null) {
    super(message)
    this.name = 'LibvirtUnavailable'
    this.remedy = remedy
  }
}

/** Whether libvirt has no such domain, network or filter. */
export function isAbsent(error: unknown): boolean {
  const absent: readonly number[] = [FAULT.noDomain, FAULT.noNetwork, FAULT.noFilter]
  return error instanceof LibvirtError && absent.includes(error.code)
}

/** Whether a machine could not be stopped because it is not running or no longer exists. */
export function isNotRunning(error: unknown): boolean {
  return isAbsent(error) || (error instanceof LibvirtError && error.code === FAULT.operationInvalid)
}
