import type { ConfigFile } from '@lodge/shared/container-spec.ts'
import { applyConfigFiles } from './apply-config-files.ts'

/** Edits config files in a data folder. Throws an Error that names every file that failed. */
export async function configure(dataFolder: string, files: readonly ConfigFile[]): Promise<void> {
  const { faults } = await applyConfigFiles(dataFolder, files)
  if (faults.length === 0) return
  throw new Error(faults.map((fault) => `${fault.path}: ${fault.detail}`).join('; '))
}
