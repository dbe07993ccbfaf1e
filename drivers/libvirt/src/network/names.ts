import type { MachineNetwork } from '@lodge/shared/machine-spec.ts'

/**
 * A network's name in libvirt. Networks that we create include our scope, so that another Lodge on
 * the same libvirt has its own; the scope of earlier versions adds nothing.
 */
export function nameInLibvirt(scope: string, { mode, name }: MachineNetwork): string {
  return mode === 'nat' && scope !== 'default' ? `${name}-${scope}` : name
}

/** Every guest's tap device is named after its hardware address: filters rely on it. */
export const TAP_PREFIX = 'lgv'

/** `52:54:00:0a:0b:0c` becomes `lgv0a0b0c`. */
export function tapName(mac: string): string {
  return `${TAP_PREFIX}${mac.split(':').slice(3).join('')}`
}
