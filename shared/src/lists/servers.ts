/** What a list of servers can be ordered by; `created` is the order of their ids. */
export const SERVER_SORTS = [
  'name',
  'state',
  'template',
  'owner',
  'node',
  'cpu',
  'memory',
  'disk',
  'created',
] as const
export type ServerSort = (typeof SERVER_SORTS)[number]

/** Fields of the filter of a list of servers. */
export const SERVER_FIELDS = [
  'state',
  'kind',
  'node',
  'location',
  'storage',
  'template',
  'owner',
  'whose',
  'tag',
  'folder',
  'favourite',
] as const
export type ServerField = (typeof SERVER_FIELDS)[number]

/** Which need somebody's attention first. */
export const STATES_BY_URGENCY = [
  'crashed',
  'install_failed',
  'unknown',
  'restarting',
  'suspended',
  'deletion_scheduled',
  'deleting',
  'installing',
  'starting',
  'stopping',
  'restoring',
  'snapshotting',
  'migrating',
  'running',
  'ended',
  'stopped',
] as const
