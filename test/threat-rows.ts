/**
 * What is tried against panels of this kind, a row each: cases of the threat model, and failures of
 * comparable panels that were published. A test that stands against one begins its name with its id.
 */
export const THREATS = {
  A1: 'Stuffing of credentials, spread over several control planes',
  A2: 'Finding out who has an account, by answers or by their time',
  A3: 'Guessing, using twice or taking over a second factor',
  A4: 'Guessing, racing or replaying recovery codes and links; links of a poisoned host',
  A5: 'Replayed, foreign or unverified passkeys',
  A6: 'Being the first administrator twice',
  A7: 'Forged or replayed webhooks and inbound mail',
  A8: 'Requests from other sites, sign-in included, and their WebSockets',
  A9: 'A claimed address against rate limits and allow-lists',
  A10: 'Huge headers and requests that never end',
  A11: 'Locking an owner out by wrong passwords from elsewhere',
  C1: 'Foreign ids, directly or beside an own one',
  C2: 'Fields that are not offered',
  C3: 'Functions of the host by an endpoint for users',
  C4: 'Races against limits, and sizes that overflow',
  C12: 'Texts of customers, nodes and servers that become markup, links or escape sequences',
  B1: 'A collaborator beyond their rights, or after them',
  B2: 'A suspended customer who goes on',
  L1: 'An administrator who gives themselves more',
  L2: 'A stolen session of an administrator',
  K1: 'A token beyond its scope, beside a cookie, or after its end',
  K2: 'Secrets of tokens in logs and tables',
  'CVE-2025-49132': 'Input of a stranger chose a file',
  'CVE-2025-69197': 'A one-time code was checked and not used up',
  'CVE-2025-69198': 'Limits were checked outside of the lock',
  'CVE-2025-69199': 'Sockets without bounds',
  'CVE-2026-21696': 'Reports that were sent again without end',
  'GHSA-8c39-xppg-479c': 'Access that outlived its right',
  'Wings-SSRF': 'Downloads of private addresses, by redirects too',
  'Wings-paths': 'A path was checked and then followed once more',
  'CVE-2023-32080': 'The installer was held less tightly than the server',
  'Panel-2FA': 'Second factors that a reset or the order of steps went round',
  'Panel-mistakes': 'Rights, origins and ids that single endpoints forgot',
  'GHSA-v97c-v3vw-p5ff': 'The agent of one node acted on things of another',
  'CVE-2025-64423': 'Links of invitations that members could read',
  'CVE-2026-45628': 'Shell commands made of text',
  'CVE-2026-44849': 'Restrictions on one way to the engine and not on the others',
  'CVE-2026-43634': 'An address header was believed from anybody',
  'CVE-2026-41940': 'Line breaks that ended in a file of sessions',
  'CVE-2026-54420': 'Plugins that were not what they said',
  'CyberPanel-2.4.2': 'A global list of forbidden signs that broke honest input',
  'Proxmox-privileges': 'One broad privilege for reading and for reaching the network',
} as const
export type Threat = keyof typeof THREATS

/** Rows about what this installation has none of yet. Their tests come with the thing itself. */
export const NOT_YET: Partial<Record<Threat, string>> = {
  A7: 'There are no webhooks of payment providers and no inbound mail.',
  B2: 'Servers are suspended, customers are not yet; the matrix has their column ready.',
  'CVE-2026-54420': 'There are no plugins.',
  'Proxmox-privileges':
    'Registering media asks for virtualization.manage; guests are reached by nobody but themselves.',
}
