import type { ImportPanel } from '@lodge/shared/billing/imports.ts'
import { connectServers } from './connect-servers.ts'
import type { Encoding } from './export-files.ts'
import { ExportFiles } from './export-files.ts'
import { importCredits } from './import-credits.ts'
import { importCustomers } from './import-customers.ts'
import { importPlans } from './import-plans.ts'
import { importSubscriptions } from './import-subscriptions.ts'
import { paymenter } from './paymenter.ts'
import type { Run } from './run.ts'
import { requireSameSource } from './same-source.ts'
import type { Source } from './source.ts'
import { whmcs } from './whmcs.ts'

/** An action of the audit log. */
export const IMPORT = 'import'

const PANELS: Readonly<Record<ImportPanel, (files: ExportFiles) => Promise<Source>>> = {
  whmcs,
  paymenter,
}
export const isPanel = (name: string): name is ImportPanel => Object.hasOwn(PANELS, name)

/**
 * Imports the files of another panel's export, or only reports what it would do. Writes each record
 * in its own transaction: if it is killed, the next import continues.
 * @throws {ImportRefused} if the files cannot be read, or come from another installation than the one
 * imported under this name
 */
export async function importFrom(
  panel: ImportPanel,
  places: readonly string[],
  encoding: Encoding,
  run: Run,
): Promise<void> {
  const source = await PANELS[panel](await ExportFiles.open(places, encoding))
  await requireSameSource(run, panel, source)
  const plans = await importPlans(run, await source.plans())
  const customers = await importCustomers(run, source.customers())
  await importCredits(run, source.credits(), customers)
  const found = await importSubscriptions(run, source.subscriptions(), customers, plans)
  await connectServers(run, found)
}
