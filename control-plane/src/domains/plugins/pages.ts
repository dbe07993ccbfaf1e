import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { DeclaredPage, PageRequest } from '@lodge/shared/plugins/page.ts'
import type { Services } from '../../services.ts'
import { callInstalled, type Reach } from './call.ts'
import { unpackedFolder } from './host/unpacked.ts'
import { misfitOf } from './package/read.ts'
import { findInstalled, type Installed, listInstalled } from './store.ts'

/** A page of a plugin that is on. */
export interface InstalledPage {
  readonly page: DeclaredPage
  readonly installed: Installed
}

const pagesOf = (installed: Installed): InstalledPage[] =>
  installed.plugin.enabled && misfitOf(installed.version.manifest) === null
    ? (installed.version.manifest.pages ?? []).map((page) => ({ page, installed }))
    : []

/** The pages of all plugins that are on. */
export const listPages = async ({ db }: Pick<Services, 'db'>): Promise<InstalledPage[]> =>
  (await listInstalled(db)).flatMap(pagesOf)

/** A page of a plugin; undefined unless the plugin is on and has it. */
export async function findPage(
  { db }: Pick<Services, 'db'>,
  plugin: string,
  page: string,
): Promise<InstalledPage | undefined> {
  const installed = await findInstalled(db, plugin)
  return installed && pagesOf(installed).find(({ page: { id } }) => id === page)
}

/** A text file of the package that a page belongs to. */
export async function pageFile(
  { db, places }: Pick<Services, 'db' | 'places'>,
  { installed }: InstalledPage,
  file: string,
): Promise<string> {
  const folder = await unpackedFolder({ db, dataFolder: places.dataFolder }, installed.version)
  return readFile(path.join(folder, file), 'utf8')
}

/** Forwards a page's question to its plugin; not within a transaction. @throws {PluginCallFailed} */
export async function askPage(
  reach: Reach,
  { page, installed }: InstalledPage,
  given: Omit<PageRequest, 'page'>,
): Promise<unknown> {
  const { answer } = await callInstalled(reach, installed, 'page.request', {
    ...{ page: page.id, ...given },
  })
  return answer
}
