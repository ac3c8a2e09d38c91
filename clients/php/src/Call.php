<?php

declare(strict_types=1);

namespace Gangan;

use Gangan\Errors\ConnectionError;
use Gangan\Errors\GanganError;

/** Makes requests, and retries those that may be repeated: reads, and writes with an Idempotency-Key. */
final class Call
{
    private const FIRST_WAIT_S = 0.5;
    private const LONGEST_WAIT_S = 60.0;

    private readonly string $url;

    public function __construct(
        private readonly string $key,
        string $url,
        private readonly float $timeout_s,
        private readonly int $tries,
    ) {
        $this->url = rtrim($url, '/');
    }

    /**
     * @param array<string, mixed>|null $body
     * @param array{string, string}|null $file its content and type
     * @param array<string, mixed> $query
     */
    public function request(
        string $method,
        string $path,
        ?array $body = null,
        ?array $file = null,
        array $query = [],
        bool $keyed = false,
        ?string $idempotency_key = null,
    ): mixed {
        $headers = ['Authorization: ' . $this->key, 'Accept: application/json, text/csv'];
        if ($keyed) {
            $headers[] = 'Idempotency-Key: ' . ($idempotency_key ?? bin2hex(random_bytes(16)));
        }
        $content = $file[0] ?? null;
        if ($file !== null) {
            $headers[] = 'Content-Type: ' . $file[1];
        } elseif ($body !== null) {
            $headers[] = 'Content-Type: application/json';
            // An empty array is an object here.
            $content = json_encode($body ?: new \stdClass(), JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION);
        }
        $may_repeat = $keyed || $method === 'GET';
        for ($attempt = 1; ; $attempt++) {
            try {
                return $this->tryOnce($method, $this->url . $path . self::queryText($query), $headers, $content);
            } catch (GanganError | ConnectionError $fault) {
                if (!$may_repeat || $attempt >= $this->tries || !self::isPassing($fault, $attempt)) {
                    throw $fault;
                }
                usleep((int) (self::waitS($fault, $attempt) * 1_000_000));
            }
        }
    }

    /**
     * Iterates over all entries of a list; pages are fetched as needed.
     *
     * @param array<string, mixed>|null $body
     * @param array<string, mixed> $query
     * @return \Generator<int, array<string, mixed>>
     */
    public function each(string $field, string $method, string $path, ?array $body = null, array $query = []): \Generator
    {
        $place = [];
        do {
            $page = $body === null
                ? $this->request($method, $path, query: [...$query, ...$place])
                : $this->request($method, $path, body: [...$body, ...$place]);
            foreach ($page[$field] as $entry) {
                yield $entry;
            }
            unset($query['page'], $body['page']);
            $pagination = $page['meta']['pagination'];
            // The last page may have no cursor.
            $place = ['query_id' => $pagination['query_id'] ?? null];
        } while ($pagination['next_page'] === 'True');
    }

    /** @param list<string> $headers */
    private function tryOnce(string $method, string $url, array $headers, ?string $content): mixed
    {
        $answered = [];
        $curl = curl_init($url);
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_TIMEOUT_MS => (int) ($this->timeout_s * 1_000),
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_HEADERFUNCTION => static function ($_curl, string $line) use (&$answered): int {
                [$name, $value] = [...explode(':', $line, 2), ''];
                $answered[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
        ]);
        if ($content !== null) {
            curl_setopt($curl, CURLOPT_POSTFIELDS, $content);
        }
        $text = curl_exec($curl);
        $status = (int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        $reason = curl_error($curl);
        unset($curl);
        if (!is_string($text)) {
            throw new ConnectionError("The service did not answer: {$reason}");
        }
        if ($status >= 400) {
            $parsed = json_decode($text, true); // The response of a proxy need not be JSON.
            throw GanganError::of($status, is_array($parsed) ? $parsed : [], $answered);
        }
        if ($status === 204) {
            return null;
        }
        $is_json = str_contains($answered['content-type'] ?? '', 'json');
        return $is_json ? json_decode($text, true, flags: JSON_THROW_ON_ERROR) : $text;
    }

    /** 409 to a retry: the first attempt is still in progress. */
    private static function isPassing(GanganError|ConnectionError $fault, int $attempt): bool
    {
        if ($fault instanceof ConnectionError) {
            return true;
        }
        return in_array($fault->status, [429, 503], true) || ($fault->status === 409 && $attempt > 1);
    }

    /** As long as the service says; otherwise doubled with each attempt, with jitter. */
    private static function waitS(GanganError|ConnectionError $fault, int $attempt): float
    {
        $said = $fault instanceof GanganError ? $fault->retry_after_s : null;
        $own = self::FIRST_WAIT_S * 2 ** ($attempt - 1) * (0.75 + mt_rand() / mt_getrandmax() / 2);
        return min(self::LONGEST_WAIT_S, $said ?? $own);
    }

    /** @param array<string, mixed> $query */
    private static function queryText(array $query): string
    {
        $given = array_filter($query, static fn (mixed $value): bool => $value !== null);
        $words = array_map(static fn (mixed $value): mixed => is_bool($value) ? ($value ? 'true' : 'false') : $value, $given);
        return $words === [] ? '' : '?' . http_build_query($words, '', '&', PHP_QUERY_RFC3986);
    }
}
