import type { ProblemCode } from '@lodge/shared/problems.ts'

export interface RefusedByRule {
  readonly code: ProblemCode
  /** The callers whom the matrix admits and the rule refuses, by their names in the matrix. */
  readonly callers: 'everybody' | readonly string[]
  /** Why no set-up lets them be admitted as declared. */
  readonly because: string
}

/**
 * Endpoints that refuse callers whom the access matrix admits, whatever is set up. All others respond
 * as declared.
 */
export const REFUSED_BY_RULE: Readonly<Record<string, RefusedByRule>> = {
  'POST /api/auth/bootstrap': {
    code: 'already_bootstrapped',
    callers: 'everybody',
    because: 'every panel that has accounts has its first administrator',
  },
  'POST /api/nodes/{id}/agent-update': {
    code: 'unsupported_on_node',
    callers: 'everybody',
    because: 'only an agent that was installed from a bundle can replace itself',
  },
  'POST /api/nodes/agent-update': {
    code: 'agents_current',
    callers: 'everybody',
    because: 'only an agent that was installed from a bundle can replace itself',
  },
  'POST /api/set-back/decisions': {
    code: 'not_found',
    callers: 'everybody',
    because: 'the database of the matrix was never set back, so nothing waits for a decision',
  },
  'PUT /api/failover/lease-extension': {
    code: 'conflict',
    callers: 'everybody',
    because: 'no server of the matrix fails over by itself, so no lease has to be longer',
  },
  'POST /api/failover/run': {
    code: 'node_alive',
    callers: 'everybody',
    because: 'the nodes of the matrix are connected',
  },
  'DELETE /api/servers/{id}/rights': {
    code: 'conflict',
    callers: ['owner', 'admin with permission', 'super admin'],
    because: 'only somebody with whom a server is shared can give it back',
  },
  'DELETE /api/support/macros/{id}': {
    code: 'permission_required',
    callers: ['admin with permission'],
    because: 'macros for all agents are changed by those who arrange the desk',
  },
  'POST /api/support/inbound': {
    code: 'not_found',
    callers: 'everybody',
    because: 'mail is taken only while it is on, and from a bridge that signs it',
  },
  'POST /api/servers/{id}/take-copy': {
    code: 'invalid_state',
    callers: 'everybody',
    because: 'the server of the checks is not installed, and no change of storage has left a copy',
  },
  'POST /api/team/transfer': {
    code: 'forbidden',
    callers: ['admin with permission'],
    because: 'only the super administrator can transfer the role',
  },
  'POST /api/team/transfer/confirm': {
    code: 'invalid_token',
    callers: [
      'customer',
      'owner',
      'collaborator',
      'collaborator without permission',
      'super admin',
    ],
    because: 'the role is transferred from the super administrator to another administrator',
  },
  'POST /api/plugin-pages/{plugin}/{page}/questions': {
    code: 'not_found',
    callers: 'everybody',
    because: 'the plugin of the checks is off and has no pages',
  },
  'POST /api/servers/{id}/plugin-pages/{plugin}/{page}/questions': {
    code: 'not_found',
    callers: 'everybody',
    because: 'the plugin of the checks is off and has no pages',
  },
  'POST /api/billing/webhooks/{provider}': {
    code: 'not_found',
    callers: 'everybody',
    because: 'no payment plugin is installed in the checks',
  },
  'POST /api/billing/invoices/{id}/pay': {
    code: 'invalid_state',
    callers: 'everybody',
    because: 'no payment plugin is installed in the checks',
  },
  'POST /api/billing/invoices/{id}/retry': {
    code: 'invalid_state',
    callers: 'everybody',
    because: 'no payment method is saved in the checks',
  },
  'POST /api/billing/payment-methods/{provider}': {
    code: 'invalid_state',
    callers: 'everybody',
    because: 'no payment plugin is installed in the checks, which could save a payment method',
  },
  'DELETE /api/billing/payment-methods/{provider}': {
    code: 'not_found',
    callers: 'everybody',
    because: 'no payment plugin is installed in the checks, which could keep a payment method',
  },
  'POST /api/billing/invoices/{id}/refund': {
    code: 'invalid_state',
    callers: 'everybody',
    because: 'the invoice of the checks is not paid',
  },
  'POST /api/billing/subscriptions/{id}/take-back': {
    code: 'invalid_state',
    callers: 'everybody',
    because: 'the subscription of the checks comes with no server that could fail',
  },
  'POST /api/billing/subscriptions/{id}/refund': {
    code: 'invalid_state',
    callers: 'everybody',
    because: 'the subscription of the checks comes with no server that could fail',
  },
  'GET /api/billing/preview-change': {
    code: 'not_found',
    callers: ['viewer'],
    because: 'the subscription of the checks belongs to who views, not to whom they view',
  },
}
