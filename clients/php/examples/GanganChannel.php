<?php

declare(strict_types=1);

namespace App\Notifications\Channels;

use Gangan\Gangan;
use Illuminate\Notifications\Notification;

/**
 * A channel for Laravel's notifications.
 *
 * In a service provider:
 *
 *     $this->app->singleton(Gangan::class, fn () => new Gangan(config('services.gangan.key'), config('services.gangan.url')));
 *
 * In a notification:
 *
 *     public function via(object $notifiable): array { return [GanganChannel::class]; }
 *     public function toGangan(object $notifiable): array { return ['content' => 'Your order is on its way.']; }
 *
 * In a model that is notified:
 *
 *     public function routeNotificationForGangan(): string { return $this->phone; }
 */
final class GanganChannel
{
    public function __construct(private readonly Gangan $gangan)
    {
    }

    /** @return array<string, mixed>|null what the service answered; null for who has no number */
    public function send(object $notifiable, Notification $notification): ?array
    {
        $recipients = $notifiable->routeNotificationFor('gangan', $notification);
        if (!$recipients) {
            return null;
        }
        /** @var array<string, mixed> $message */
        $message = $notification->toGangan($notifiable);
        // A notification has an id of its own, and a queue may run it twice.
        return $this->gangan->sms->send(['recipients' => $recipients, ...$message], $notification->id);
    }
}
