export const TEMPLATES = '/templates'
