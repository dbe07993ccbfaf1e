import type { Customer } from '@lodge/shared/accounts.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { q } from '../../query.ts'

/** The customer in this page's address. */
export const useCustomerQuery = () => {
  const { id } = useParams({ from: '/in/admin/customers/$id' })
  return useQuery(q('GET /api/customers/{id}', { params: { id } }))
}

/** The same inside the tabs, after the frame has loaded it. */
export function useCustomer(): Customer {
  const { data } = useCustomerQuery()
  if (!data) throw new Error('useCustomer is used outside of the frame of a customer')
  return data
}
