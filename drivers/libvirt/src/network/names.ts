import type { MachineNetwork } from '@lodge/shared/machine-spec.ts'

/**
 * What a network is called in libvirt. One that is made by us carries our scope, so that another Lodge on
 * the same libvirt has its own; the scope of earlier versions adds nothing.
 */
export function nameInLibvirt(scope: string, { mode, name }: MachineNetwork): string {
  return mode === 'nat' && scope !== 'default' ? `${name}-${scope}` : name
}

/** Every network card of a guest has a name on the node that is made of its address: filters rely on it. */
export const TAP_PREFIX = 'lgv'

/** `52:54:00:0a:0b:0c` is `lgv0a0b0c`. */
export function tapName(mac: string): string {
  return `${TAP_PREFIX}${mac.split(':').slice(3).join('')}`
}
