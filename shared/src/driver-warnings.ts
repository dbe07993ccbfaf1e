/**
 * What works worse than it should with an engine of a node, by code: the panel has words for each. The
 * English here is for control planes and panels that do not know a code.
 */
export const DRIVER_WARNINGS = {
  no_seccomp: 'Docker runs containers without a seccomp filter.',
  no_memory_limits: 'The kernel does not enforce memory limits.',
  no_swap_limits: 'The kernel does not count swap: servers may use more than their memory.',
  no_process_limits: 'The kernel does not enforce process limits.',
  no_live_restore:
    'A restart of Docker ends all servers; "live-restore": true in its configuration prevents that.',
  disks_measured: 'Disk limits are only measured here: no disks can be mounted for the engine.',
  /** `why`: what the driver says. */
  firewall: '{why}',
  no_cpu_limits: 'This node does not enforce CPU limits of virtual machines.',
  /** `server`: its id; `since`: ISO 8601; `why`: what libvirt or the guest says. */
  copy_not_ended:
    'A backup of the machine {server} could not be ended since {since}, and its guest may not write until it is: {why} It is tried again by itself; restarting the guest ends it, too.',
} as const satisfies Readonly<Record<string, string>>
export type DriverWarningCode = keyof typeof DRIVER_WARNINGS

export interface DriverWarning<Code extends string = DriverWarningCode> {
  readonly code: Code
  readonly values: Readonly<Record<string, string>>
}

/** A warning in English. */
export const warningText = ({ code, values }: DriverWarning): string =>
  DRIVER_WARNINGS[code].replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? '')
