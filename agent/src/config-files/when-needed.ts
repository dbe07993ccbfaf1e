import type { ConfigFile } from '@lodge/shared/container-spec.ts'

/** Loads the config file parsers only when the first server needs them. */
export async function configure(dataFolder: string, files: readonly ConfigFile[]): Promise<void> {
  const room = await import('./configure.ts')
  await room.configure(dataFolder, files)
}
