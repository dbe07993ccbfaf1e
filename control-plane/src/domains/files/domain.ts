import { defineDomain } from '../../domain.ts'
import { fileBudgets } from './budgets.ts'
import { recheckTask } from './recheck.ts'
import * as bin from './routes/bin.ts'
import * as browse from './routes/browse.ts'
import * as change from './routes/change.ts'
import * as uploads from './routes/uploads.ts'
import { fileSagas } from './sagas.ts'
import { fileActions } from './uploads.ts'

/**
 * The files of container servers. Their bytes are on the nodes; the control plane stores nothing of
 * them.
 */
export const files = defineDomain({
  name: 'files',
  headings: [
    {
      name: 'Files',
      description: 'Browse, change, upload and download the files of one server.',
      paths: ['/api/servers/{id}/files'],
    },
  ],
  routes: [browse, change, bin, uploads],
  actions: fileActions,
  budgets: fileBudgets,
  sagas: fileSagas,
  periodic: [recheckTask],
})
