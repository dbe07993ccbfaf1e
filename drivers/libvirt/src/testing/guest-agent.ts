import type { TestNode } from './node.ts'

const CHANNEL =
  '/dev/$(basename $(dirname $(grep -l org.qemu.guest_agent.0 /sys/class/virtio-ports/*/name)))'
/** Opens the guest agent's channel. */
export const LISTENS = `exec 4<> ${CHANNEL}`

/**
 * A minimal guest agent that speaks QEMU's protocol and runs an order on each of these requests; it
 * prints what it receives on the serial console.
 */
export const guestAgent = (orders: Readonly<Record<string, string>>): string =>
  [
    '(while read -r line <&4; do',
    'echo "guest: asked $line" > /dev/ttyS0',
    'case "$line" in',
    `*guest-sync*) id=\${line##*:}; printf '{"return": %s}\\n' "\${id%%\\}*}" >&4 ;;`,
    ...Object.entries(orders).map(([request, order]) => `*${request}*) ${order} ;;`),
    'esac; done) & true',
  ].join('\n')

/** An order that answers with a number. */
export const answers = (count: number): string => `printf '{"return": ${count}}\\n' >&4`

/** Whether libvirt knows that the guest agent's channel is open. */
export async function hears(node: TestNode, uuid: string): Promise<boolean> {
  const { output } = await node.run('virsh', ['dumpxml', uuid])
  return output.includes(`name='org.qemu.guest_agent.0' state='connected'`)
}
