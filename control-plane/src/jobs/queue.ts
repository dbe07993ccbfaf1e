export interface JobQueue { readonly placeholder?: never }
