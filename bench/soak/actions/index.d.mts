export const ACTIONS: readonly { readonly kind: string; readonly weight: number; readonly needs?: string }[]
