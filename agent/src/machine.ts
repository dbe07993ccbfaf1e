import { readFile } from 'node:fs/promises'

/** An identifier that changes at each boot of the machine. */
export async function bootId(): Promise<string> {
  const text = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
  return text.trim()
}
