import type { Rule } from '@lodge/shared/support/rules/rule.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { Ago } from '../../../ui/data/time.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import styles from './rules.module.css'
import { t } from './words.ts'

/** The runs of a rule. */
export function RecordDialog({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const runs = useQuery(q('GET /api/support/rules/{id}/runs', { params: { id: rule.id } }))
  return (
    <Dialog title={t.recordOf({ name: rule.name })} opened fleeting onClose={onClose}>
      <Loaded query={runs}>
        {({ items }) =>
          items.length === 0 ? (
            <Text muted>{t.noRuns}</Text>
          ) : (
            <ul className={styles.runs}>
              {items.map(({ id, at, ticket, does }) => (
                <li key={id}>
                  <span>
                    <Link to={paths.deskTicket} params={{ id: ticket.id }}>
                      {ticket.number}
                    </Link>{' '}
                    {ticket.subject}
                  </span>
                  <Text small muted>
                    {does.map((type) => t.action({ type })).join(', ')} · <Ago at={at} />
                  </Text>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  )
}
