import { counter, gauge, map } from '../../../figures/family.ts'
import type { Figures } from '../../../figures/figures.ts'
import { latestSetBack, nodesToCompare } from '../../nodes/index.ts'
import { countFindings } from './findings-store.ts'

/** Set-backs of the database, and what still waits for an operator. */
export const setBackFigures: Figures = {
  async installation({ db }) {
    const latest = await latestSetBack(db)
    const waiting = await nodesToCompare(db)
    const findings = await countFindings(db)
    return () => [
      counter(
        'lodge_database_set_backs_total',
        'How often the database was found to be set back in time.',
        latest?.setBacks ?? 0,
      ),
      gauge(
        'lodge_set_back_nodes_waiting',
        'Nodes whose inventory was not compared with the database since it was set back.',
        [[{}, waiting.length]],
      ),
      gauge(
        'lodge_state_rollback_servers',
        'Servers of which a node knows more than the database, waiting for a decision.',
        map(findings, ({ nodeId, servers }) => [{ node: nodeId }, servers]),
      ),
    ]
  },
}
