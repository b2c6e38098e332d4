export const name = 'viewer'
