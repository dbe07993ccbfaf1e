import { said } from '../../panel/said.ts'
import type { Me } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ActionMenu } from '../../ui/buttons/menu.tsx'
import type { Column } from '../../ui/data/column.ts'
import { Person } from '../../ui/data/person.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Unknown } from '../../ui/data/unknown.tsx'
import type { RowTools } from '../../ui/lists/short-list.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import type { Administrator, TeamAct } from './administrator.ts'
import { type Catalogue, presetOf } from './permission-choice.tsx'
import { t } from './words.ts'
import { wordsOf } from './words-of.ts'

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
  return preset ? said(wordsOf(preset)) : t.permissionCount({ count })
}

type State = 'invited' | 'second-factor' | 'no-second-factor'

const stateOf = ({ state, hasSecondFactor }: Administrator): State =>
  state === 'invited' ? 'invited' : hasSecondFactor ? 'second-factor' : 'no-second-factor'

const states = (): Readonly<Record<State, { label: string; tone: 'info' | 'ok' | 'warn' }>> => ({
  invited: { label: t.invited, tone: 'info' },
  'second-factor': { label: t.secondFactor, tone: 'ok' },
  'no-second-factor': { label: t.noSecondFactor, tone: 'warn' },
})

function StatePill({ person }: { person: Administrator }) {
  const { label, tone } = states()[stateOf(person)]
  return <Pill tone={tone}>{label}</Pill>
}

/** Every column that the list of administrators offers. */
export const teamColumns = (given: TeamColumns): readonly Column<Administrator>[] => [
  {
    id: 'administrator',
    header: t.administrator,
    role: 'title',
    sort: 'email',
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
  {
    id: 'name',
    header: t.nameColumn,
    optional: true,
    cell: ({ name }) => (name === null ? <Unknown why={t.noName} /> : <Text clip>{name}</Text>),
  },
  {
    id: 'permissions',
    header: t.holds,
    sort: 'permissions',
    highestFirst: true,
    cell: (person) => mayDo(given.catalogue, person),
  },
  {
    id: 'state',
    header: t.state,
    sort: 'state',
    cell: (person) => <StatePill person={person} />,
  },
  {
    id: 'added',
    header: t.since,
    sort: 'added',
    highestFirst: true,
    secondary: true,
    right: true,
    tight: true,
    cell: (person) => <Ago at={person.createdAt} />,
  },
  {
    id: 'actions',
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
                label: t.removeFactorsEntry,
                danger: true,
                disabledBecause: fixed ?? (person.hasSecondFactor ? undefined : t.noSecondFactor),
                onSelect: () => given.onAct('factors', person),
              },
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

/** How administrators are filtered, sorted and exported. */
export const teamTools = (catalogue: Catalogue): RowTools<Administrator> => {
  const all = catalogue.permissions.map(({ id }) => id)
  const held = ({ superAdmin, permissions }: Administrator): readonly string[] =>
    superAdmin ? all : permissions
  return {
    fields: [
      {
        name: 'state',
        label: t.state,
        chips: true,
        values: Object.entries(states()).map(([value, { label }]) => ({ value, label })),
        of: stateOf,
      },
      {
        name: 'permission',
        label: t.permission,
        example: 'permission:servers.*',
        of: held,
      },
      { name: 'email', label: t.email, example: 'email:*@example.com', of: ({ email }) => email },
      { name: 'name', label: t.nameColumn, example: 'name:ann*', of: ({ name }) => name ?? '' },
    ],
    textOf: ({ email, name }) => `${email}\n${name ?? ''}`,
    sortKeys: {
      email: ({ email }) => email,
      permissions: (person) => held(person).length,
      state: (person) => states()[stateOf(person)].label,
      added: ({ createdAt }) => createdAt,
    },
    csv: [
      ['id', ({ id }) => id],
      ['email', ({ email }) => email],
      ['name', ({ name }) => name],
      ['super_administrator', ({ superAdmin }) => superAdmin],
      ['permissions', (person) => held(person).join(' ')],
      ['state', ({ state }) => state],
      ['second_factor', ({ hasSecondFactor }) => hasSecondFactor],
      ['created_at', ({ createdAt }) => createdAt],
    ],
  }
}
