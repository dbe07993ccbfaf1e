/** Every network card of a guest has a name on the node that is made of its address: filters rely on it. */
export const TAP_PREFIX = 'lgv'

/** `52:54:00:0a:0b:0c` is `lgv0a0b0c`. */
export function tapName(mac: string): string {
  return `${TAP_PREFIX}${mac.split(':').slice(3).join('')}`
}
