import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { Copyable } from '../../ui/data/copy.tsx'
import { Meter } from '../../ui/data/meter.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Column, Grid, Row, Text } from '../../ui/page/layout.tsx'
import type { LimitsView } from '../limits/limit-table.tsx'
import { limitName, usedWords, valueWords } from '../limits/limit-words.ts'
import { CustomerPill } from './customer-pill.tsx'
import { NoteText } from './note-text.tsx'
import { plansOf } from './plans-of.ts'
import { useCustomer } from './use-customer.ts'

/** A customer at a glance: who they are, what they use, what staff last wrote about them. */
export default function SummaryTab() {
  const customer = useCustomer()
  const limits = useQuery(q('GET /api/customers/{id}/limits', { params: { id: customer.id } }))
  return (
    <Column gap={24}>
      <Card title="Usage">
        <Loaded query={limits} lines={3}>
          {(view) => <Usage view={view} />}
        </Loaded>
      </Card>
      <Grid least={340} gap={16} top>
        <Card title="Account">
          <Facts
            rows={[
              ['State', <CustomerPill key="state" state={customer.state} />],
              ['Name', customer.name ?? <Unset key="name">Not given</Unset>],
              ['Plan', limits.data ? <Plans key="plan" view={limits.data} /> : ''],
              ['Servers', customer.servers],
              ['Customer since', <Ago key="since" at={customer.createdAt} />],
              ['ID', <Copyable key="id" value={customer.id} label="Copy the ID" />],
            ]}
          />
        </Card>
        <LatestNote />
      </Grid>
    </Column>
  )
}

const Unset = ({ children }: { children: string }) => <Text faint>{children}</Text>

function Plans({ view }: { view: LimitsView }) {
  const names = plansOf(view)
  return names.length === 0 ? <Unset>None</Unset> : names.join(', ')
}

/** What the customer uses of each total, with its limit where there is one. */
function Usage({ view }: { view: LimitsView }) {
  const totals = view.limits.filter(
    ({ type, used, value }) =>
      type === 'total' && used !== null && (used > 0 || typeof value === 'number'),
  )
  if (totals.length === 0) return <Text muted>Nothing is used yet.</Text>
  return (
    <Column>
      <Grid least={220} gap={20} top>
        {totals.map(({ key, used, value }) =>
          typeof value === 'number' ? (
            <Meter
              key={key}
              label={limitName(key)}
              value={used}
              of={value}
              text={`${usedWords(key, used ?? 0)} of ${valueWords(key, value)}`}
            />
          ) : (
            <Row key={key} between>
              <Text small strong>
                {limitName(key)}
              </Text>
              <Text small muted>
                {usedWords(key, used ?? 0)}, no limit
              </Text>
            </Row>
          ),
        )}
      </Grid>
      {view.enforced ? null : (
        <Text small muted>
          Limits are switched off in the settings, so none of these are enforced.
        </Text>
      )}
    </Column>
  )
}

function LatestNote() {
  const { id } = useCustomer()
  const notes = useQuery(
    q('GET /api/customers/{id}/notes', { params: { id }, query: { limit: 1 } }),
  )
  return (
    <Card
      title="Latest note"
      actions={
        <Link to={paths.customerNotes} params={{ id }}>
          All notes
        </Link>
      }
    >
      <Loaded query={notes} lines={2}>
        {({ items: [note] }) =>
          note ? (
            <NoteText note={note} />
          ) : (
            <Text muted>Nobody has written a note about this customer.</Text>
          )
        }
      </Loaded>
    </Card>
  )
}
