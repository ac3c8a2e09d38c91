<?php

declare(strict_types=1);

namespace Gangan\Errors;

/** The service rejected a request. Nothing was changed or charged. */
class GanganError extends \RuntimeException
{
    /**
     * @param list<array{field: string, message: string, type: string}> $faults all faults of the request
     * @param string|null $request_id what the operator finds it by in the log
     * @param float|null $retry_after_s after how many seconds it may be tried again
     */
    final public function __construct(
        string $message,
        public readonly int $status,
        public readonly array $faults,
        public readonly ?string $request_id,
        public readonly ?float $retry_after_s,
    ) {
        parent::__construct($message, $status);
    }

    /**
     * @param array<string, mixed> $body
     * @param array<string, string> $headers
     */
    public static function of(int $status, array $body, array $headers): self
    {
        $kind = match (true) {
            in_array($status, [400, 413, 415], true) => InvalidRequestError::class,
            $status === 401 => AuthenticationError::class,
            $status === 402 => InsufficientBalanceError::class,
            $status === 403 => PermissionError::class,
            $status === 404 => NotFoundError::class,
            $status === 409 => ConflictError::class,
            $status === 429 => TooManyRequestsError::class,
            $status >= 500 => ServiceError::class,
            default => self::class,
        };
        $after = $headers['retry-after'] ?? null;
        return new $kind(
            (string) ($body['message'] ?? "The service answered {$status}."),
            $status,
            $body['errors'] ?? [],
            $headers['x-request-id'] ?? null,
            is_numeric($after) ? (float) $after : null,
        );
    }
}
