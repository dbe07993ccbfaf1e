import { randomUUID } from 'node:crypto'

let networks = 0
/** A network that overlaps with no other. */
export function freshNetwork() {
  const third = ++networks % 250
  return {
    name: randomUUID(),
    libvirtName: `n${randomUUID().slice(0, 8)}`,
    subnet: `10.${Math.floor(networks / 250)}.${third}.0/24`,
    poolFrom: `10.${Math.floor(networks / 250)}.${third}.10`,
    poolTo: `10.${Math.floor(networks / 250)}.${third}.20`,
  }
}
