/** What an entry of the record says was done; `{target}` is the name of what it was done to. */
interface Words {
  readonly words: string
  /** Somebody looked or tried; nothing is different afterwards. */
  readonly looks?: true
}

const did = (words: string): Words => ({ words })
const looked = (words: string): Words => ({ words, looks: true })

/** Of `POST /api/servers/{id}/actions`, by its field `action`. */
const POWER: Readonly<Record<string, string>> = {
  start: 'started {target}',
  stop: 'stopped {target}',
  restart: 'restarted {target}',
  kill: 'killed {target}',
  suspend: 'suspended {target}',
  unsuspend: 'lifted the suspension of {target}',
  reinstall: 'reinstalled {target}',
  backup: 'backed up {target}',
  restore: 'restored {target} from a backup',
}

/** By the key of an endpoint, or by the name of what happened beside one. */
const WORDS: Readonly<Record<string, Words>> = {
  'signed in': did('signed in'),
  'identity proven': looked('confirmed who they are'),
  'password changed': did('changed their password'),
  'recovery code used': did('used a recovery code'),
  'limit forced': did('went beyond a limit of {target}'),
  'invitation accepted': did('accepted the invitation to {target}'),
  'e-mail changed': did('changed their e-mail address'),
  'e-mail change undone': did('undid a change of their e-mail address'),

  'POST /api/auth/password': did('changed their password'),
  'PATCH /api/auth/me': did('changed their name, language or time zone'),
  'PUT /api/auth/preferences': did('changed how the panel looks for them'),
  'POST /api/auth/sessions/revoke-others': did('signed out everywhere else'),
  'DELETE /api/auth/sessions/{id}': did('signed a device out'),
  'POST /api/auth/logout': did('signed out'),
  'POST /api/auth/email': did('asked for another e-mail address'),
  'POST /api/auth/totp/setup': looked('began to set up an authenticator'),
  'POST /api/auth/totp/confirm': did('set up an authenticator'),
  'DELETE /api/auth/totp': did('removed their authenticator'),
  'POST /api/auth/passkeys/options': looked('began to add a passkey'),
  'POST /api/auth/passkeys/verify': did('added a passkey'),
  'DELETE /api/auth/passkeys/{id}': did('removed a passkey'),
  'POST /api/auth/recovery-codes': did('made new recovery codes'),

  'POST /api/servers': did('created {target}'),
  'PATCH /api/servers/{id}': did('changed {target}'),
  'DELETE /api/servers/{id}': did('deleted {target}'),
  'POST /api/servers/{id}/actions': did('acted on {target}'),
  'POST /api/servers/{id}/ports': did('added a port to {target}'),
  'DELETE /api/servers/{id}/ports/{offset}': did('removed a port of {target}'),
  'PATCH /api/servers/{id}/settings': did('changed the startup of {target}'),
  'PUT /api/servers/{id}/crash-policy': did('changed the crash policy of {target}'),
  'POST /api/servers/{id}/console-ticket': looked('opened the console of {target}'),
  'POST /api/servers/{id}/command': did('sent a command to {target}'),
  'POST /api/servers/{id}/collaborators': did('shared {target}'),
  'PATCH /api/servers/{id}/collaborators/{userId}': did('changed who may do what on {target}'),
  'DELETE /api/servers/{id}/collaborators/{userId}': did('ended a share of {target}'),
  'DELETE /api/servers/{id}/rights': did('gave back their share of {target}'),
  'POST /api/invitations/{id}/accept': did('accepted an invitation'),
  'DELETE /api/invitations/{id}': did('declined an invitation'),
  'POST /api/me/servers': did('created {target}'),
  'PATCH /api/me/servers/{id}': did('renamed {target}'),
  'DELETE /api/me/servers/{id}': did('asked for {target} to be deleted'),
  'POST /api/me/servers/{id}/restore': did('took back the deletion of {target}'),
  'POST /api/jobs/{id}/cancel': did('cancelled a job'),
  'POST /api/jobs/{id}/retry': did('tried a failed job again'),

  'POST /api/servers/{id}/vm/disks': did('changed the disks of {target}'),
  'POST /api/servers/{id}/vm/installation': did('changed the medium of {target}'),
  'POST /api/servers/{id}/vm/network': did('changed the ports of {target}'),
  'POST /api/servers/{id}/vm/resources': did('changed vCPUs or memory of {target}'),
  'POST /api/servers/{id}/vm/console-ticket': looked('opened the screen of {target}'),
  'POST /api/servers/{id}/vm/snapshots': did('took a snapshot of {target}'),
  'DELETE /api/servers/{id}/vm/snapshots/{snapshot}': did('deleted a snapshot of {target}'),
  'POST /api/servers/{id}/vm/snapshots/{snapshot}/restore': did('restored a snapshot of {target}'),
  'POST /api/servers/{id}/vm/migrate': did('moved {target} to another node'),

  'POST /api/customers': did('created the customer {target}'),
  'PATCH /api/customers/{id}': did('changed the customer {target}'),
  'DELETE /api/customers/{id}': did('removed the customer {target}'),
  'POST /api/customers/{id}/password-link': did('sent {target} a link to choose a password'),
  'POST /api/customers/{id}/approve': did('approved the account {target}'),
  'POST /api/customers/{id}/reject': did('declined the account {target}'),
  'POST /api/customers/{id}/mark-verified': did('confirmed the address of {target}'),
  'POST /api/customers/{id}/resend-verification': did('sent {target} the confirmation again'),
  'POST /api/signup/invites': did('made an invitation code'),
  'DELETE /api/signup/invites/{id}': did('revoked an invitation code'),
  'POST /api/plans': did('created the plan {target}'),
  'PUT /api/plans/{id}': did('changed the plan {target}'),
  'DELETE /api/plans/{id}': did('deleted the plan {target}'),
  'POST /api/plans/{id}/archive': did('archived the plan {target}'),
  'POST /api/plans/{id}/unarchive': did('brought back the plan {target}'),
  'PUT /api/limits/defaults': did('changed the limits of every customer'),
  'PUT /api/limits/settings': did('changed how limits are used'),

  'POST /api/nodes': did('added the node {target}'),
  'PATCH /api/nodes/{id}': did('changed the node {target}'),
  'DELETE /api/nodes/{id}': did('removed the node {target}'),
  'POST /api/nodes/{id}/images/free': did('removed unused images of the node {target}'),
  'POST /api/nodes/{id}/cordon': did('cordoned the node {target}'),
  'POST /api/nodes/{id}/uncordon': did('uncordoned the node {target}'),
  'POST /api/nodes/{id}/enrollment': did('made a join command for the node {target}'),
  'PATCH /api/nodes/{id}/virtualization': did('changed virtualization on the node {target}'),
  'PUT /api/virtualization/images': did('changed the list of well-known images'),
  'DELETE /api/virtualization/images': did('went back to the list of images that comes with Lodge'),
  'POST /api/virtualization/media/uploads': did('began to upload a medium'),
  'POST /api/virtualization/media': did('added the medium {target}'),
  'PATCH /api/virtualization/media/{id}': did('changed the medium {target}'),
  'DELETE /api/virtualization/media/{id}': did('removed the medium {target}'),
  'POST /api/virtualization/networks': did('added the network {target}'),
  'PATCH /api/virtualization/networks/{id}': did('changed the network {target}'),
  'DELETE /api/virtualization/networks/{id}': did('removed the network {target}'),
  'POST /api/virtualization/profiles': did('added the hardware profile {target}'),
  'PATCH /api/virtualization/profiles/{id}': did('changed the hardware profile {target}'),
  'DELETE /api/virtualization/profiles/{id}': did('removed the hardware profile {target}'),

  'POST /api/templates': did('created the template {target}'),
  'PUT /api/templates/{id}': did('changed the template {target}'),
  'DELETE /api/templates/{id}': did('deleted the template {target}'),
  'POST /api/templates/import': did('imported the template {target}'),
  'PUT /api/templates/{id}/store': did('changed who may use the template {target}'),
  'POST /api/templates/{id}/apply': did('brought servers to the newest version of {target}'),

  'POST /api/team': did('invited the administrator {target}'),
  'PUT /api/team/{id}/permissions': did('changed what {target} may do'),
  'DELETE /api/team/{id}': did('removed the administrator {target}'),
  'POST /api/team/transfer': did('offered to hand over the super administrator'),
  'POST /api/team/transfer/confirm': did('became the super administrator'),
  'POST /api/tokens': did('created the API token {target}'),
  'DELETE /api/tokens/{id}': did('revoked the API token {target}'),
  'PUT /api/settings/self-service': did('changed the self-service settings'),
  'PUT /api/settings/security': did('changed the security settings'),
  'PUT /api/settings/signup': did('changed the sign-up settings'),
  'PUT /api/settings/mail': did('changed the mail settings'),
  'POST /api/settings/mail/test': looked('sent themselves a test mail'),
  'PUT /api/email/templates/{template}': did('changed the wording of a mail'),
  'DELETE /api/email/templates/{template}': did('reset the wording of a mail'),
  'POST /api/email/templates/{template}/test': looked('sent themselves a sample mail'),
  'POST /api/email/outbox/{id}/retry': did('sent a failed mail again'),
}

/** The actions after which nothing is different. */
export const LOOKS: readonly string[] = Object.entries(WORDS)
  .filter(([, { looks }]) => looks)
  .map(([action]) => action)

/** Whether an action of this name can be told in words. */
export const hasWords = (action: string): boolean => Object.hasOwn(WORDS, action)

/**
 * What was done, to be read after the name of who did it: "stopped Under the hill".
 * @param detail of the entry: the name of its target and, for actions on servers, which one
 */
export function wordsFor(action: string, detail: Readonly<Record<string, unknown>>): string {
  const body = Object(detail.body) as { action?: unknown }
  const power = action === 'POST /api/servers/{id}/actions' && POWER[String(body.action)]
  const words = power || WORDS[action]?.words || action
  return words.replace('{target}', () => nameIn(detail))
}

/** Actions that are told with this text, and those of servers whose field `action` is. */
export function actionsSaying(text: string): { actions: string[]; power: string[] } {
  const said = (words: string) => words.replace('{target}', '').toLowerCase().includes(text)
  return {
    actions: Object.entries(WORDS)
      .filter(([, { words }]) => said(words))
      .map(([action]) => action),
    power: Object.keys(POWER).filter((action) => said(POWER[action] ?? '')),
  }
}

function nameIn({ target, body }: Readonly<Record<string, unknown>>): string {
  const { name, email } = Object(body) as { name?: unknown; email?: unknown }
  const found = [target, name, email].find((one) => typeof one === 'string' && one !== '')
  return typeof found === 'string' ? found : 'something that has no name'
}
