import type { ServerField } from '@lodge/shared/lists/servers.ts'
import { SERVER_STATUSES } from '@lodge/shared/server-status.ts'
import type { FilterField } from '../../ui/data/filter-box.tsx'
import { serverWord } from '../../ui/data/status.tsx'
import { t } from './words.ts'

type Field = FilterField & { readonly name: ServerField }

const whose = (): Field => ({
  name: 'whose',
  label: t.whose,
  values: [
    { value: 'mine', label: t.mine },
    { value: 'shared', label: t.sharedWithMe },
  ],
})

const common = (): readonly Field[] => [
  {
    name: 'state',
    label: t.state,
    chips: ['running', 'stopped', 'crashed'],
    values: SERVER_STATUSES.map((value) => ({ value, label: serverWord(value) })),
  },
  {
    name: 'kind',
    label: t.kind,
    values: [
      { value: 'container', label: t.container },
      { value: 'vm', label: t.machine },
    ],
  },
  { name: 'template', label: t.template, example: 'template:luanti' },
  { name: 'location', label: t.location, example: 'location:helsinki' },
  { name: 'tag', label: t.tag, example: 'tag:survival' },
  { name: 'folder', label: t.yourFolder, example: 'folder:games' },
  {
    name: 'favourite',
    label: t.favourites,
    values: [{ value: 'yes', label: t.favourites }],
    chips: true,
  },
]

const node = (): Field => ({ name: 'node', label: t.node, example: 'node:node-1' })

const anyOwner = (): Field => ({ name: 'owner', label: t.owner, example: 'owner:*@example.com' })

const storage = (): Field => ({ name: 'storage', label: t.storage, example: 'storage:fast' })

/** What the host can filter the servers of one customer by. */
export const fieldsOfOneOwner = (): readonly Field[] => [...common(), node(), storage()]

/** What the host can filter the servers of one node by. */
export const fieldsOfOneNode = (): readonly Field[] => [...common(), storage(), anyOwner(), whose()]

/** What the host can filter the list of servers by. */
export const hostFields = (): readonly Field[] => [...fieldsOfOneOwner(), anyOwner(), whose()]

/** What a customer can filter the list of servers by. */
export const customerFields = (): readonly Field[] => [
  { ...whose(), chips: true },
  ...common(),
  node(),
  { name: 'owner', label: t.owner, example: 'owner:ann@example.com' },
]
