import { viewSearch } from '../../routes/list-search.ts'

/** Filter and order in the URL of the list of nodes. */
export const nodesSearch = viewSearch(['name', 'memory', 'cpu', 'disk', 'servers', 'agent', 'seen'])
