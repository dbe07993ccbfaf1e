/** A heading of the API reference and the paths below it. */
interface ApiGroup {
  readonly name: string
  readonly description: string
  readonly paths: RegExp
}

/** In the order of the reference; the first that matches has the path. */
export const API_GROUPS: readonly ApiGroup[] = [
  {
    name: 'Virtual machines',
    description: 'Disks, snapshots, screens, network and moves of one machine.',
    paths: /^\/api\/servers\/\{id\}\/vm(\/|$)/,
  },
  {
    name: 'Sharing',
    description: 'Who else may use a server, and with which permissions.',
    paths: /^\/api\/(invitations|permissions|servers\/\{id\}\/(collaborators|rights))(\/|$)/,
  },
  {
    name: 'Servers',
    description: 'Everything that containers and virtual machines have in common.',
    paths: /^\/api\/servers(\/|$)/,
  },
  {
    name: 'Self-service',
    description: 'Servers that customers create and delete themselves.',
    paths: /^\/api\/me(\/|$)/,
  },
  {
    name: 'Jobs and events',
    description: 'Work that goes on after its request was answered, and what happens meanwhile.',
    paths: /^\/api\/(jobs|events)(\/|$)/,
  },
  {
    name: 'Account',
    description: 'Signing in, second factors and what belongs to one account.',
    paths: /^\/api\/(auth|notifications)(\/|$)/,
  },
  { name: 'Sign-up', description: 'New accounts.', paths: /^\/api\/signup(\/|$)/ },
  {
    name: 'Customers, plans and limits',
    description: 'Who rents, and how much they may use.',
    paths: /^\/api\/(customers|plans|limits)(\/|$)/,
  },
  {
    name: 'Templates',
    description: 'What container servers are made from.',
    paths: /^\/api\/templates(\/|$)/,
  },
  {
    name: 'Virtualization',
    description: 'What machines are made from: hardware profiles, media and networks.',
    paths: /^\/api\/virtualization(\/|$)/,
  },
  {
    name: 'Nodes',
    description: 'The hosts that servers run on.',
    paths: /^\/api\/nodes(\/|$)/,
  },
  {
    name: 'Administration',
    description: 'The team, API tokens, settings, mail and the audit trail.',
    paths: /^\/api\/(team|tokens|settings|email|audit|overview|activity)(\/|$)/,
  },
  {
    name: 'Agents',
    description: 'Called by the agent of a node; its credential opens nothing else.',
    paths: /^\/api\/agent(\/|$)/,
  },
  {
    name: 'This description',
    description: 'The interface itself.',
    paths: /^\/api\/openapi\.json$/,
  },
]

/** The heading of a path. @throws where none matches: a new group belongs into the list above. */
export function apiGroupOf(path: string): string {
  const group = API_GROUPS.find(({ paths }) => paths.test(path))
  if (!group) throw new Error(`${path} has no group in http/api-groups.ts`)
  return group.name
}
