import type { ServerField } from '@lodge/shared/lists/servers.ts'
import { SERVER_STATUSES } from '@lodge/shared/server-status.ts'
import type { FilterField } from '../../ui/data/filter-box.tsx'
import { serverWord } from '../../ui/data/status.tsx'

type Field = FilterField & { readonly name: ServerField }

const WHOSE: Field = {
  name: 'whose',
  label: 'Whose',
  values: [
    { value: 'mine', label: 'Mine' },
    { value: 'shared', label: 'Shared with me' },
  ],
}

const COMMON: readonly Field[] = [
  {
    name: 'state',
    label: 'State',
    chips: ['running', 'stopped', 'crashed'],
    values: SERVER_STATUSES.map((value) => ({ value, label: serverWord(value) })),
  },
  {
    name: 'kind',
    label: 'Kind',
    values: [
      { value: 'container', label: 'Container' },
      { value: 'vm', label: 'Virtual machine' },
    ],
  },
  { name: 'template', label: 'Template', example: 'template:luanti' },
  { name: 'location', label: 'Location', example: 'location:helsinki' },
  { name: 'tag', label: 'Tag', example: 'tag:survival' },
  { name: 'folder', label: 'Your folder', example: 'folder:games' },
  {
    name: 'favourite',
    label: 'Favourites',
    values: [{ value: 'yes', label: 'Favourites' }],
    chips: true,
  },
]

const NODE: Field = { name: 'node', label: 'Node', example: 'node:node-1' }

/** What the list of servers can be filtered by. */
export const HOST_FIELDS: readonly Field[] = [
  ...COMMON,
  NODE,
  { name: 'owner', label: 'Owner', example: 'owner:*@example.com' },
  WHOSE,
]
export const CUSTOMER_FIELDS: readonly Field[] = [
  { ...WHOSE, chips: true },
  ...COMMON,
  NODE,
  { name: 'owner', label: 'Owner', example: 'owner:ann@example.com' },
]
