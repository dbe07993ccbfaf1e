import { Button } from '../../ui/buttons/button.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import { Column as Stack, Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

interface Credential {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

interface CredentialsProps<T> {
  /** What they are, such as passkeys. */
  label: string
  /** Header of the column with their names. */
  header: string
  items: readonly T[]
  /** A line that distinguishes two with the same name. */
  under?: (one: T) => string
  question: (named: { name: string }) => string
  /** Label of the confirming button. */
  verb: string
  onRemove: (one: T) => void
}

/** An account's credentials other than its password: when each was added and last used. */
export function Credentials<T extends Credential>(props: CredentialsProps<T>) {
  const { label, header, items, under, question, verb, onRemove } = props
  const columns: readonly Column<T>[] = [
    {
      header,
      role: 'title',
      cell: (one) =>
        under === undefined ? (
          <Text strong>{one.name}</Text>
        ) : (
          <Stack gap={2}>
            <Text strong>{one.name}</Text>
            <Text faint small mono clip title={under(one)}>
              {under(one)}
            </Text>
          </Stack>
        ),
    },
    { header: t.added, cell: ({ createdAt }) => <Ago at={createdAt} /> },
    {
      header: t.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? t.never : <Ago at={lastUsedAt} />),
    },
    {
      header: t.actions,
      role: 'acts',
      cell: (one) => (
        <QuickConfirm question={question(one)} verb={verb} onConfirm={() => onRemove(one)}>
          <Button size="small">{t.remove}</Button>
        </QuickConfirm>
      ),
    },
  ]
  return <Table label={label} rows={items} columns={columns} keyOf={({ id }) => id} empty={null} />
}
