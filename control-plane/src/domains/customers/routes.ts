import { CreateCustomer, Customer, EditCustomer, ShownLink } from '@lodge/shared/accounts.ts'
import { z } from 'zod'
import { pageOf } from '../../db/cursor.ts'
import { sendCsv } from '../../http/csv.ts'
import { del, get, patch, post } from '../../http/endpoint.ts'
import { customer } from './access.ts'
import * as customers from './customers.ts'
import { customersAsCsv } from './export.ts'

export const listCustomers = get('/api/customers', {
  summary: 'List customers',
  access: { who: 'admin', may: 'customers.view', token: 'read' },
  query: customers.CustomerQuery,
  reply: pageOf(Customer),
  handle: ({ ctx, query }) => customers.pageOfCustomers(ctx, query),
})

export const exportCustomers = get('/api/customers/export', {
  summary: 'Customers as CSV',
  access: { who: 'admin', may: 'customers.view', token: 'read' },
  query: customers.CustomersWanted,
  streams: 'text/csv',
  handle: async ({ ctx, query, http }) =>
    sendCsv(http.reply, 'customers.csv', customersAsCsv(ctx, query)),
})

export const createCustomer = post('/api/customers', {
  summary: 'Create a customer',
  access: { who: 'admin', may: 'customers.manage', token: 'provision' },
  body: CreateCustomer,
  reply: Customer.extend({ link: ShownLink.optional() }),
  status: 201,
  recorded: 'created the customer {target}',
  showsLink: true,
  handle: ({ ctx, body }) => customers.createCustomer(ctx, body),
})

export const showCustomer = get('/api/customers/{id}', {
  summary: 'One customer',
  access: { who: 'admin', may: 'customers.view', on: customer, token: 'read' },
  reply: Customer,
  handle: ({ ctx, customer }) => customers.describeCustomer(ctx, customer),
})

export const removeCustomer = del('/api/customers/{id}', {
  summary: 'Remove a customer who owns no servers',
  access: { who: 'admin', may: 'customers.manage', on: customer, stepUp: true },
  recorded: 'removed the customer {target}',
  handle: ({ ctx, customer }) => customers.deleteCustomer(ctx, customer),
})

const changesEmail = (body: unknown): boolean =>
  z.looseObject({ email: z.unknown() }).safeParse(body).data?.email !== undefined

export const editCustomer = patch('/api/customers/{id}', {
  summary: 'Edit a customer',
  access: {
    who: 'admin',
    may: 'customers.manage',
    on: customer,
    stepUpWhen: changesEmail,
  },
  body: EditCustomer,
  reply: Customer,
  recorded: 'changed the customer {target}',
  handle: ({ ctx, customer, body }) => customers.editCustomer(ctx, customer, body),
})
