import type { Me } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ActionMenu } from '../../ui/buttons/menu.tsx'
import { Person } from '../../ui/data/person.tsx'
import { Pill } from '../../ui/data/status.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import type { Administrator, TeamAct } from './administrator.ts'
import { type Catalogue, presetOf, wordsOf } from './permission-choice.tsx'
import { t } from './words.ts'

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
  if (person.superAdmin) return t.superStays
  return person.id === me.id ? t.notSelf : undefined
}

function mayDo(catalogue: Catalogue, person: Administrator): string {
  if (person.superAdmin) return t.everything
  const preset = presetOf(catalogue, new Set(person.permissions))
  const count = person.permissions.length
  return preset ? wordsOf(preset) : t.permissionCount({ count })
}

export const teamColumns = (given: TeamColumns): readonly Column<Administrator>[] => [
  {
    header: t.administrator,
    role: 'title',
    cell: (person) => (
      <Person email={person.email} name={person.name}>
        <Row gap={6}>
          <Text strong>{person.email}</Text>
          {person.id === given.me.id ? <Pill tone="idle">{t.you}</Pill> : null}
          {person.superAdmin ? <Pill tone="info">{t.superAdministrator}</Pill> : null}
        </Row>
      </Person>
    ),
  },
  { header: t.holds, cell: (person) => mayDo(given.catalogue, person) },
  {
    header: t.state,
    cell: (person) =>
      person.state === 'invited' ? (
        <Pill tone="info">{t.invited}</Pill>
      ) : person.hasSecondFactor ? (
        <Pill tone="ok">{t.secondFactor}</Pill>
      ) : (
        <Pill tone="warn">{t.noSecondFactor}</Pill>
      ),
  },
  { header: t.since, secondary: true, cell: (person) => <Ago at={person.createdAt} /> },
  {
    header: t.actions,
    role: 'acts',
    cell: (person) => {
      const fixed = fixedBecause(given, person)
      return (
        <Row nowrap gap={4}>
          <Button
            size="small"
            aria-label={t.permissionsOf({ email: person.email })}
            disabledBecause={fixed}
            onClick={() => given.onAct('edit', person)}
          >
            {t.permissions}
          </Button>
          <ActionMenu
            label={t.moreFor({ email: person.email })}
            size="small"
            entries={[
              ...(given.me.superAdmin && !person.superAdmin
                ? [
                    {
                      label: t.makeSuper,
                      disabledBecause: person.hasSecondFactor ? undefined : t.factorFirst,
                      onSelect: () => given.onAct('transfer', person),
                    },
                  ]
                : []),
              {
                label: t.removeFromTeam,
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
