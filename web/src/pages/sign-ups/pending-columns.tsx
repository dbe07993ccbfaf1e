import type { PendingField, PendingSort } from '@lodge/shared/lists/pending.ts'
import { Link } from '@tanstack/react-router'
import type { Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data/column.ts'
import type { FilterField } from '../../ui/data/filter-box.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { CustomerPill, stateWord } from '../customers/customer-pill.tsx'
import styles from '../servers/servers.module.css'
import { SignUpActions } from './sign-up-actions.tsx'
import { t } from './words.ts'

export type Pending = Reply<'GET /api/signup/pending'>['items'][number]
type PendingColumn = Column<Pending> & { readonly id: string; readonly sort?: PendingSort }

/** Every column that the list of pending sign-ups offers. */
export const pendingColumns = (): readonly PendingColumn[] => [
  {
    id: 'account',
    header: t.account,
    role: 'title',
    sort: 'email',
    cell: (account) => (
      <div className={styles.name}>
        <Link to={paths.customer} params={{ id: account.id }} data-opens>
          {account.email}
        </Link>
        <small>{account.inviteNote ?? ''}</small>
      </div>
    ),
  },
  {
    id: 'state',
    header: t.state,
    sort: 'state',
    tight: true,
    cell: ({ state }) => <CustomerPill state={state} />,
  },
  {
    id: 'signed-up',
    header: t.signedUp,
    sort: 'created',
    highestFirst: true,
    right: true,
    tight: true,
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
  {
    id: 'actions',
    header: t.actions,
    role: 'acts',
    cell: (account) => <SignUpActions account={account} />,
  },
]

/** The filter fields of the list of pending sign-ups. */
export const pendingFields = (): readonly (FilterField & { readonly name: PendingField })[] => [
  {
    name: 'state',
    label: t.state,
    chips: true,
    values: (['pending', 'unverified'] as const).map((value) => ({
      value,
      label: stateWord(value),
    })),
  },
  { name: 'email', label: t.email, example: 'email:*@example.com' },
  { name: 'invitation', label: t.invitation, example: 'invitation:friends*' },
]
