import { viewSearch } from '../../routes/list-search.ts'

/** The view in the address of the list of nodes. */
export const nodesSearch = viewSearch(['name', 'memory', 'cpu', 'disk', 'servers', 'agent', 'seen'])
