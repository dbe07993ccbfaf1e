import { readFile } from 'node:fs/promises'

/** A text that changes when the machine boots. */
export async function bootId(): Promise<string> {
  const text = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
  return text.trim()
}
