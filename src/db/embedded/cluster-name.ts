import { createHash } from 'node:crypto'

/** PostgreSQL puts this name into its process titles, which identifies the processes of a cluster. */
export function clusterName(cluster_dir: string): string {
  return `gangan_${createHash('sha256').update(cluster_dir).digest('hex').slice(0, 12)}`
}
