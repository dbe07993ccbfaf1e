import { expect } from 'vitest'
import { CLONE, type World } from '../world.ts'

/** Uninstalls everything, with its data; only the clone remains. */
export async function uninstall({ machine, npm }: World): Promise<void> {
  const { code, said } = await machine.shell('npm run uninstall -- --data --yes', CLONE)
  expect(code, said).toBe(0)
  // npm itself exits after the script it ran, and so do the processes started by that.
  await expect.poll(() => npm.isRunning).toBe(false)
  const look = async (line: string) => (await machine.shell(line)).said
  expect(await look('ls -A /var/lib/lodge')).toBe('')
  expect(await look('nft list tables')).not.toContain('lodge')
  expect(await look('ip -brief link')).not.toMatch(/^(lodge|lgv)/m)
  expect(await look('ls /etc/libvirt/hooks/qemu.d')).not.toContain('lodge')
  expect(await look('find /etc/libvirt/qemu')).not.toMatch(/lodge|guests/)
  expect(await look('cat /proc/mounts')).not.toContain('/var/lib/lodge/')
  await expect.poll(() => look('ps -eo args')).not.toMatch(/dockerd|postgres|libvirtd|lodge/)
}
