import { createHash } from 'node:crypto'

/** PostgreSQL puts this name into the titles of its processes, by which we tell those of one cluster from others. */
export function clusterName(cluster_dir: string): string {
  return `gangan_${createHash('sha256').update(cluster_dir).digest('hex').slice(0, 12)}`
}
