import type { Me } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ActionMenu } from '../../ui/buttons/menu.tsx'
import { Pill } from '../../ui/data/status.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import styles from '../servers/servers.module.css'
import type { Administrator, TeamAct } from './administrator.ts'
import { type Catalogue, presetOf, wordsOf } from './permission-choice.tsx'

interface TeamColumns {
  me: Me
  catalogue: Catalogue
  /** Why nobody can be changed; undefined when they can. */
  blocked: string | undefined
  onAct: (act: TeamAct, person: Administrator) => void
}

/** Why this person cannot be changed or removed; undefined when they can. */
function fixedBecause({ me, blocked }: TeamColumns, person: Administrator): string | undefined {
  if (blocked !== undefined) return blocked
  if (person.superAdmin) return 'The super administrator stays: transfer the role first'
  return person.id === me.id ? 'Nobody changes or removes themselves' : undefined
}

function mayDo(catalogue: Catalogue, person: Administrator): string {
  if (person.superAdmin) return 'Everything'
  const preset = presetOf(catalogue, new Set(person.permissions))
  const count = person.permissions.length
  return preset ? wordsOf(preset) : count === 1 ? '1 permission' : `${count} permissions`
}

export const teamColumns = (given: TeamColumns): readonly Column<Administrator>[] => [
  {
    header: 'Administrator',
    role: 'title',
    cell: (person) => (
      <div className={styles.name}>
        <Row gap={6}>
          <Text strong>{person.email}</Text>
          {person.id === given.me.id ? <Pill tone="idle">You</Pill> : null}
          {person.superAdmin ? <Pill tone="info">Super administrator</Pill> : null}
        </Row>
        <small>{person.name ?? ''}</small>
      </div>
    ),
  },
  { header: 'May', cell: (person) => mayDo(given.catalogue, person) },
  {
    header: 'State',
    cell: (person) =>
      person.state === 'invited' ? (
        <Pill tone="info">Invited</Pill>
      ) : person.hasSecondFactor ? (
        <Pill tone="ok">Second factor</Pill>
      ) : (
        <Pill tone="warn">No second factor</Pill>
      ),
  },
  { header: 'Since', secondary: true, cell: (person) => <Ago at={person.createdAt} /> },
  {
    header: 'Actions',
    role: 'acts',
    cell: (person) => {
      const fixed = fixedBecause(given, person)
      return (
        <Row nowrap gap={4}>
          <Button
            size="small"
            aria-label={`Permissions of ${person.email}`}
            disabledBecause={fixed}
            onClick={() => given.onAct('edit', person)}
          >
            Permissions
          </Button>
          <ActionMenu
            label={`More for ${person.email}`}
            size="small"
            entries={[
              ...(given.me.superAdmin && !person.superAdmin
                ? [
                    {
                      label: 'Make super administrator',
                      disabledBecause: person.hasSecondFactor
                        ? undefined
                        : 'A second factor has to be set up first',
                      onSelect: () => given.onAct('transfer', person),
                    },
                  ]
                : []),
              {
                label: 'Remove from the team',
                danger: true,
                disabledBecause: fixed,
                onSelect: () => given.onAct('remove', person),
              },
            ]}
          />
        </Row>
      )
    },
  },
]
